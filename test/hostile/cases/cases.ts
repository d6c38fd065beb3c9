import type { Case } from '../case.ts';
import { care } from './care.ts';
import { encodings } from './encodings.ts';
import { http } from './http.ts';
import { json } from './json.ts';
import { others } from './others.ts';
import { paths } from './paths.ts';
import { queries } from './queries.ts';
import { sizes } from './sizes.ts';
import { tickets } from './tickets.ts';
import { tokens } from './tokens.ts';

/** All of them, by kind. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  json,
  encodings,
  paths,
  queries,
  http,
  sizes,
  tokens,
  others,
  tickets,
  care,
};
