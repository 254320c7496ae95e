export { encodeDynamicBrCode, type DynamicBrCode } from './br-code-encoder.js';
export { BrCodeError, BrCodeFault } from './br-code-error.js';
export { parseBrCode } from './br-code-parser.js';
export type {
  ParsedBrCode,
  ParsedDynamicBrCode,
  ParsedRecurrenceBrCode,
  ParsedStaticBrCode,
} from './parsed-br-code.js';
