r"""Types of arguments and of values in records, for annotations: literals, codes, options, forms, remarks.

>>> from urlextract import extract
>>> from urlextract.types import DefectCode, TextOptions
>>> options: TextOptions = {"join": "delimited"}
>>> (found,) = extract("see http://a.example/b-\nc", **options)
>>> [defect.code is DefectCode.MAY_CONTINUE for defect in found.defects]
[True]
"""

from __future__ import annotations

from urlextract.formatter.targets import Target, Wrapper
from urlextract.grammar.codes import AlternativeCode, DefectCode, RepairCode
from urlextract.grammar.rules import Rule
from urlextract.linebreaks.joining import Hyphen, Join
from urlextract.pipeline.options import HtmlOptions, MessageOptions, Options, TextOptions
from urlextract.record_keys import AlternativeRecord, Record, ViolationRecord, WarningRecord
from urlextract.records import (
    Alternative,
    Defect,
    Difference,
    Form,
    Part,
    Quoted,
    Repair,
    Signature,
    SourceFormat,
)
from urlextract.results import IndexRun, View
from urlextract.schemes.cautions import Caution, CautionCode
from urlextract.schemes.checks import Violation, ViolationCode
from urlextract.schemes.url import ResolveRules

__all__ = [
    "Alternative",
    "AlternativeCode",
    "AlternativeRecord",
    "Caution",
    "CautionCode",
    "Defect",
    "DefectCode",
    "Difference",
    "Form",
    "HtmlOptions",
    "Hyphen",
    "IndexRun",
    "Join",
    "MessageOptions",
    "Options",
    "Part",
    "Quoted",
    "Record",
    "Repair",
    "RepairCode",
    "ResolveRules",
    "Rule",
    "Signature",
    "SourceFormat",
    "Target",
    "TextOptions",
    "View",
    "Violation",
    "ViolationCode",
    "ViolationRecord",
    "WarningRecord",
    "Wrapper",
]
