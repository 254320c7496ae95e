/** The packages of this repository, which are bundled as they are. */
export const PACKAGES = 'packages/*/{package.json,src/**/*.ts}';
/** What `nest build` reads, and the file that says of which state of it `dist/src` was made. */
export const SOURCES = ['{src,migrations}/**/*.ts', PACKAGES, 'tsconfig{,.build}.json', 'nest-cli.json'];
export const COMPILED = 'dist/.compiled';
