import { createHash } from 'node:crypto';
import type { Definition } from './definition.ts';

/** What an audit event says of a definition: the JSON in it as text, which any store takes. */
export function auditedFields({ description, schema, defaultValue, killSwitch, rules }: Definition) {
  return {
    description,
    schema: JSON.stringify(schema),
    defaultValue: JSON.stringify(defaultValue),
    killSwitch: JSON.stringify(killSwitch),
    rules: JSON.stringify(rules),
  };
}

/** Weak, since it names the content and not the time. */
export function etagOfSettings(settings: object): string {
  return `W/"${createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 22)}"`;
}
