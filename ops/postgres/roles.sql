-- The roles of the service, made before its first migration: what its processes work as, and the login that is given to
-- them. In production: a password of its own.
create role payments_service nologin;
create role payments_app login password 'payments_app' in role payments_service;
