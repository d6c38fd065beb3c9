import { isDeepStrictEqual } from 'node:util';
import type { Template, TemplateResource } from '../lib/local/index.ts';
import type { ReplacementRules } from './replacement-rules.ts';

/** The changes of a deployment to one stack, from its deployed and its new template. */

export type ResourceChange = {
  readonly logicalId: string;
  readonly type: string;
  readonly action: 'add' | 'update' | 'may-replace' | 'replace' | 'remove';
  /** The properties that differ; only for an update or a replacement. */
  readonly properties: readonly string[];
  /** What a replacement or a removal deletes, or the protection that an update removes; null if nothing is lost. */
  readonly loses: string | null;
};

/** @param deployed null if the stack does not exist yet */
export function changesOf(deployed: Template | null, next: Template, rules: ReplacementRules): ResourceChange[] {
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
): ResourceChange | null {
  if (!before) return after ? { logicalId, type: after.Type, action: 'add', properties: [], loses: null } : null;
  const type = before.Type;
  const lost = rules.keeps(type);
  if (!after) return { logicalId, type, action: 'remove', properties: [], loses: lost };
  if (after.Type !== type) return { logicalId, type, action: 'replace', properties: ['Type'], loses: lost };
  const properties = differing(before.Properties ?? {}, after.Properties ?? {});
  if (isDeepStrictEqual(before, after)) return null;
  const worst = properties.map((property) => rules.replaces(type, property));
  if (worst.includes('yes')) return { logicalId, type, action: 'replace', properties, loses: lost };
  if (worst.includes('maybe')) return { logicalId, type, action: 'may-replace', properties, loses: lost };
  const given = lost === null ? [] : protectionsGivenUp(before, after);
  const changed = properties.length === 0 && given.length === 0 ? ['(attributes)'] : [...properties, ...given];
  const loses = given.length === 0 ? null : 'what keeps it from being deleted';
  return { logicalId, type, action: 'update', properties: [...new Set(changed)], loses };
}

/** Protections, by name. If one is removed now, a later deployment can delete the resource without being stopped. */
function protectionsGivenUp(before: TemplateResource, after: TemplateResource): string[] {
  const held = protectionsOf(before);
  const holding = protectionsOf(after);
  return [...held].filter((name) => !holding.has(name));
}

/** A user pool has `DeletionProtection`, a table `DeletionProtectionEnabled`. */
function protectionsOf({ DeletionPolicy, UpdateReplacePolicy, Properties = {} }: TemplateResource): Set<string> {
  const protections = {
    // Also `RetainExceptOnCreate`.
    DeletionPolicy: DeletionPolicy?.startsWith('Retain'),
    UpdateReplacePolicy: UpdateReplacePolicy?.startsWith('Retain'),
    DeletionProtectionEnabled: Properties.DeletionProtectionEnabled === true,
    DeletionProtection: Properties.DeletionProtection === 'ACTIVE',
  };
  return new Set(Object.entries(protections).flatMap(([name, holds]) => (holds ? [name] : [])));
}

function differing(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
