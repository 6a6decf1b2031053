;;; accept.el --- Accept a suggestion in a real Emacs, through eglot  -*- lexical-binding: t -*-

;; Run by tests/lsp/test_emacs.py: `emacs --batch -q -l accept.el SETTINGS FILE LINE TYPED`.
;; It loads SETTINGS, opens FILE, which starts the server, goes to the end of LINE, types TYPED, asks
;; for completion as C-M-i does, and prints what the server offered and the text that came of it, as
;; JSON.

;;; Code:

(require 'package)
(package-initialize)
(require 'eglot)
(require 'json)

;; Emacs wants the user's word for each of these, and nobody sits here.
(setq make-backup-files nil
      create-lockfiles nil
      eglot-connect-timeout 60
      python-indent-guess-indent-offset nil)

(defun sidecar-test-until (seconds what holds)
  "Wait up to SECONDS until the function HOLDS returns something, which is WHAT."
  (let ((end (+ (float-time) seconds)) found)
    (while (not (setq found (funcall holds)))
      (when (> (float-time) end)
        (error "It never came: %s" what))
      (accept-process-output nil 0.05))
    found))

(defun sidecar-test-engine (server)
  "Return what SERVER says of its engine."
  (plist-get (jsonrpc-request server :sidecar/status (list :textDocument nil)) :engine))

(defun sidecar-test-accept (file line typed)
  "Type TYPED at the end of LINE of FILE and accept what the server offers."
  (find-file file)
  ;; What follows every command of a user.
  (run-hooks 'post-command-hook)
  (let ((server (sidecar-test-until 60 "a connection" #'eglot-current-server))
        offered before)
    (sidecar-test-until
     120 "a loaded model"
     (lambda () (equal (plist-get (sidecar-test-engine server) :phase) "ready")))
    (goto-char (point-min))
    (forward-line (1- line))
    (end-of-line)
    (insert typed)
    (eglot--signal-textDocument/didChange)
    (setq before (buffer-string)
          offered (jsonrpc-request server :textDocument/completion (eglot--CompletionParams)
                                   :timeout 60))
    (undo-boundary)
    (completion-at-point)
    (let ((text (buffer-string)))
      (undo-boundary)
      (undo)
      (let ((told (json-encode
                   (list :version emacs-version :offered offered :before before :text text
                         :undone (buffer-string)))))
        ;; The server must have the same text as we have.
        (eglot--signal-textDocument/didChange)
        (princ told)))
    (set-buffer-modified-p nil)
    (eglot-shutdown server)))

(load (pop command-line-args-left) nil t)
(let ((file (pop command-line-args-left))
      (line (string-to-number (pop command-line-args-left)))
      (typed (pop command-line-args-left)))
  (sidecar-test-accept file line typed))

;;; accept.el ends here
