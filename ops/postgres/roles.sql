-- The roles of the service, created before its first migration: the role of its processes, and the login that they use.
-- In production, set another password.
create role payments_service nologin;
create role payments_app login password 'payments_app' in role payments_service;
