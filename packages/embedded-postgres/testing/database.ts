/** What the processes of tests have made: a name that `initdb` does not give. */
export const DATABASE = 'owned by a test';
