import { kebabCase } from '../../../lib/contract/kebab-case.ts';

/**
 * Texts that would make two resources differ that say the same. In AgreeFunction `<AgreeLogs>` is written `<~Logs>` and
 * its name `agree` is `~`; the logical id Deployment56f9d4d57526, which ends in a hash, is `Deployment#`.
 */
export type Naming = {
  /** Of the resource that has the text. */
  readonly stem: string;
  readonly operation: string;
  /** The ids of the template that end in a hash, each with its short form. */
  readonly hashed: readonly (readonly [id: string, short: string])[];
};

const hash = /(?<=\w)[0-9a-f]{12}$/;

export function withHash(ids: readonly string[]): Naming['hashed'] {
  return ids.filter((id) => hash.test(id)).map((id) => [id, id.replace(hash, '#')]);
}

export function namingOf(id: string, hashed: Naming['hashed']): Naming {
  // Without its last word: Agree of AgreeFunction.
  const stem = /^(\w+?)[A-Z][a-z]+$/.exec(id)?.[1] ?? '';
  return { stem, operation: kebabCase(stem).slice(1), hashed };
}

export function shorten(text: string, { stem, operation, hashed }: Naming): string {
  if (text === operation && operation !== '') return '~';
  const unhashed = hashed.reduce((said, [long, short]) => said.replaceAll(long, short), text);
  return stem === '' ? unhashed : unhashed.replaceAll(`<${stem}`, '<~');
}

/** The inverse of `shorten`. */
export function lengthen(text: string, { stem, operation, hashed }: Naming): string {
  if (text === '~') return operation;
  const whole = stem === '' ? text : text.replaceAll('<~', `<${stem}`);
  if (!whole.includes('#')) return whole;
  return hashed.reduce((said, [long, short]) => said.replace(new RegExp(`\\b${short}`, 'g'), long), whole);
}
