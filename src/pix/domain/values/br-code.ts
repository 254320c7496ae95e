export { encodeDynamicBrCode, type DynamicBrCode } from './br-code-encoder.js';
export { BrCodeError, BrCodeFault } from './br-code-error.js';
export { parseBrCode } from './br-code-parser.js';
export {
  type ParsedBrCode,
  type ParsedDynamicBrCode,
  type ParsedRecurrenceBrCode,
  type ParsedStaticBrCode,
  type UnreservedTemplate,
} from './parsed-br-code.js';
