import { before as swagger } from '@nestjs/swagger/plugin';

/**
 * The swagger plugin of Nest, for folders of every name. It makes imports of the paths in the compiler's text of a
 * type, where TypeScript writes each character beyond ASCII as an escape: `/home/jo\u00E3o`.
 */
export function before(options, program) {
  const checker = program.getTypeChecker();
  const { typeToString } = checker;
  checker.typeToString = (...type) => typeToString(...type).replace(/\\u([\dA-F]{4})/g, unescaped);
  return swagger(options, program);
}

function unescaped(_escape, code) {
  return String.fromCharCode(parseInt(code, 16));
}
