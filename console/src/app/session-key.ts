/** Where the session stands among what was read from the service. */
export const SESSION_KEY = ['session'] as const;
