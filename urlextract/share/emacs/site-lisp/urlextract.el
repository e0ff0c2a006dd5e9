;;; urlextract.el --- links of messages, and texts filled with URLs as units  -*- lexical-binding: t -*-

;; M-x urlextract-browse lets you choose a link of a message in Gnus, mu4e and notmuch, or of any buffer.
;; M-x urlextract-rewrap fills the region without breaking a URL.  Both run the command "urlextract".

;;; Code:

(defun urlextract--rows (buffer file id)
  "Return the links of FILE, of the message ID of notmuch, or of BUFFER, as pairs of a row and a URL."
  (with-temp-buffer
    (cond (file (insert-file-contents-literally file))
          (id (call-process "notmuch" nil t nil "show" "--format=raw" id))
          (t (insert-buffer-substring buffer)))
    (let ((process-environment (cons (format "COLUMNS=%d" (1- (frame-width))) process-environment)))
      (call-process-region nil nil "urlextract" t '(t nil) nil "pick" "--rows"))
    (mapcar (lambda (line) (split-string line "\t")) (split-string (buffer-string) "\n" t))))

(defun urlextract--chosen (typed rows)
  "Return the row of ROWS that is TYPED: as a whole, by its number, or by a text that no other has."
  (or (assoc typed rows)
      (if (string-match-p "\\`[0-9]+\\'" typed)
          (and (> (string-to-number typed) 0) (nth (1- (string-to-number typed)) rows))
        (let ((fits (seq-filter (lambda (row) (string-search (downcase typed) (downcase (car row)))) rows)))
          (and (equal (length fits) 1) (car fits))))))

(defun urlextract-browse ()
  "Choose a link of this message, or of this buffer, and browse it with `browse-url'."
  (interactive)
  (let* ((rows (urlextract--rows
                (if (derived-mode-p 'gnus-article-mode 'gnus-summary-mode)
                    gnus-original-article-buffer
                  (current-buffer))
                (and (derived-mode-p 'mu4e-view-mode) (mu4e-message-field-at-point :path))
                (and (derived-mode-p 'notmuch-show-mode) (notmuch-show-get-message-id))))
         (completion-styles '(substring))
         (completion-ignore-case t)
         (row (and rows
                   (urlextract--chosen
                    (completing-read
                     "Link: "
                     (lambda (word predicate action)  ; in their order
                       (if (eq action 'metadata) '(metadata (display-sort-function . identity))
                         (complete-with-action action rows word predicate))))
                    rows))))
    (cond ((null rows) (user-error "No link"))
          ((null row) (user-error "No link chosen"))
          ((string= (or (nth 2 row) "") "") (browse-url (nth 1 row)))
          (t (user-error "Not opened: %s" (nth 2 row))))))

(defun urlextract-rewrap (start end)
  "Fill the region, with URLs as units."
  (interactive "r")
  (let ((filled (generate-new-buffer " *urlextract*")))
    (unwind-protect
        (if (zerop (call-process-region start end "urlextract" nil (list filled nil) nil "rewrap"))
            (save-excursion
              (delete-region start end)
              (goto-char start)
              (insert-buffer-substring filled))
          (user-error "The region is left as it is: urlextract rewrap failed"))
      (kill-buffer filled))))

(provide 'urlextract)
;;; urlextract.el ends here
