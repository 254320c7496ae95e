/** What `nest build` reads, and the file that says of which state of it `dist/src` was made. */
export const SOURCES = ['{src,migrations}/**/*.ts', 'tsconfig{,.build}.json', 'nest-cli.json'];
export const COMPILED = 'dist/.compiled';
