r"""What records are made of, and what options take, for annotations: values and their codes, forms, options.

>>> from urlextract import extract
>>> from urlextract.types import DefectCode, TextOptions
>>> options: TextOptions = {"join": "delimited"}
>>> (found,) = extract("see http://a.example/b-\nc", **options)
>>> [defect.code is DefectCode.MAY_CONTINUE for defect in found.defects]
[True]
"""

from urlextract.grammar.codes import AlternativeCode as AlternativeCode
from urlextract.grammar.codes import DefectCode as DefectCode
from urlextract.grammar.codes import RepairCode as RepairCode
from urlextract.pipeline.options import HtmlOptions as HtmlOptions
from urlextract.pipeline.options import MessageOptions as MessageOptions
from urlextract.pipeline.options import Options as Options
from urlextract.pipeline.options import TextOptions as TextOptions
from urlextract.records import Alternative as Alternative
from urlextract.records import Defect as Defect
from urlextract.records import Form as Form
from urlextract.records import Repair as Repair
from urlextract.results import IndexRun as IndexRun
from urlextract.schemes.cautions import Caution as Caution
from urlextract.schemes.cautions import CautionCode as CautionCode
from urlextract.schemes.checks import Violation as Violation
from urlextract.schemes.checks import ViolationCode as ViolationCode

globals()["__all__"] = [name for name in dir() if not name.startswith("_")]  # checkers read the imports
