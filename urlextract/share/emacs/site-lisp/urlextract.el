;;; urlextract.el --- links of messages, and texts filled with URLs as units  -*- lexical-binding: t -*-

;; M-x urlextract-browse lets you choose a link of a message in Gnus, mu4e and notmuch, or of any buffer.
;; M-x urlextract-rewrap fills the region without breaking a URL.  Both run the command "urlextract".

;;; Code:

(defun urlextract-browse ()
  "Choose a link of this message, or of this buffer, and browse it."
  (interactive)
  (let ((buffer (if (derived-mode-p 'gnus-article-mode 'gnus-summary-mode)
                    gnus-original-article-buffer
                  (current-buffer)))
        (file (and (derived-mode-p 'mu4e-view-mode) (mu4e-message-field-at-point :path)))
        (id (and (derived-mode-p 'notmuch-show-mode) (notmuch-show-get-message-id))))
    (browse-url
     (completing-read
      "Link: "
      (with-temp-buffer
        (cond (file (insert-file-contents-literally file))
              (id (call-process "notmuch" nil t nil "show" "--format=raw" id))
              (t (insert-buffer-substring buffer)))
        (call-process-region nil nil "urlextract" t t nil "-u" "--links" "--parts" "text,html")
        (split-string (buffer-string) "\n" t))))))

(defun urlextract-rewrap (start end)
  "Fill the region, with URLs as units."
  (interactive "r")
  (shell-command-on-region start end "urlextract rewrap" nil t))

(provide 'urlextract)
;;; urlextract.el ends here
