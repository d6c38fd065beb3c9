import * as z from 'zod/mini';
import { visibleLine, wellFormed } from '../../lib/contract/fields.ts';

/** Of a person or a site. Names are shown in apps and lists, as text. */
export const ShownName = z.string().check(
  z.overwrite((given) => given.trim()),
  z.maxLength(200),
  wellFormed,
  visibleLine,
);

/** How a name begins. */
export const SearchName = z.string().check(z.maxLength(200));
