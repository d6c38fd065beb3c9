import { isDeepStrictEqual } from 'node:util';
import type { Template, TemplateResource } from '../lib/local/template/assembly.ts';
import type { ReplacementRules } from './replacement-rules.ts';

/** What a deployment would change of one stack, by its template as it is deployed and as it would be. */

export type Change = {
  readonly logicalId: string;
  readonly type: string;
  readonly action: 'add' | 'update' | 'may-replace' | 'replace' | 'remove';
  /** What differs; of an update or a replacement alone. */
  readonly properties: readonly string[];
  /** What is lost by a replacement or a removal; null where nothing is. */
  readonly loses: string | null;
};

/** @param deployed null: there is no such stack yet */
export function changesOf(deployed: Template | null, next: Template, rules: ReplacementRules): Change[] {
  const before = deployed?.Resources ?? {};
  const after = next.Resources ?? {};
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return ids.flatMap((logicalId) => changeOf(logicalId, before[logicalId], after[logicalId], rules) ?? []);
}

function changeOf(
  logicalId: string,
  before: TemplateResource | undefined,
  after: TemplateResource | undefined,
  rules: ReplacementRules,
): Change | null {
  if (!before) return after ? { logicalId, type: after.Type, action: 'add', properties: [], loses: null } : null;
  const type = before.Type;
  const lost = rules.keeps(type);
  if (!after) return { logicalId, type, action: 'remove', properties: [], loses: lost };
  if (after.Type !== type) return { logicalId, type, action: 'replace', properties: ['Type'], loses: lost };
  const properties = differing(before.Properties ?? {}, after.Properties ?? {});
  if (properties.length === 0)
    return isDeepStrictEqual(before, after) ? null : update(logicalId, type, ['(attributes)']);
  const worst = properties.map((property) => rules.replaces(type, property));
  if (worst.includes('yes')) return { logicalId, type, action: 'replace', properties, loses: lost };
  if (worst.includes('maybe')) return { logicalId, type, action: 'may-replace', properties, loses: lost };
  return update(logicalId, type, properties);
}

function update(logicalId: string, type: string, properties: readonly string[]): Change {
  return { logicalId, type, action: 'update', properties, loses: null };
}

function differing(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
