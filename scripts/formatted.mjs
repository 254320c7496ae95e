import { format } from 'oxfmt';
import options from '../.oxfmtrc.json' with { type: 'json' };

/** The text of a file as `npm run format` would leave it. */
export async function formatted(file, text) {
  const { code, errors } = await format(file, text, options);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}
