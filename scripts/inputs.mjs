/** The packages of this repository, which are bundled from source. */
export const PACKAGES = 'packages/*/{package.json,src/**/*.ts}';
/** The inputs of `nest build`, and the file with the hash of those that `dist/src` was built from. */
export const SOURCES = ['{src,migrations}/**/*.ts', PACKAGES, 'tsconfig{,.build}.json', 'nest-cli.json'];
export const COMPILED = 'dist/.compiled';
