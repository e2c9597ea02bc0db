-- What the lists of the audit trail and of sign-ins are filtered by.
CREATE INDEX operation_log_admin ON operation_log (admin_id, at, id);
CREATE INDEX operation_log_action ON operation_log (action, at, id);
CREATE INDEX operation_log_module ON operation_log (module, at, id);
CREATE INDEX login_log_time ON login_log (at, id);
CREATE INDEX login_log_result ON login_log (result, at, id);
