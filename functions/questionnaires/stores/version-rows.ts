import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Items } from '../../../lib/runtime/commit.ts';
import { keep } from '../../../lib/runtime/immutable-cache.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { publishVersion, readHeadPage, readPublished } from '../../../lib/runtime/published-versions.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditOccasion, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { questionnairePublished } from '../audit-actions.ts';
import type { Definition, Head } from '../rules/definition.ts';
import type { Questionnaires } from '../tables.ts';

/** Table `Questionnaires`: the versions, and which one is current (lib/runtime/published-versions.ts). */

export type Published = Definition & { readonly publishedAt: string };

const heads = 'questionnaires';
/** 100 are kept, of some 20 KB each. Pure: a bundle that reads none has none of it. */
const shelf = { heads, versions: 'questionnaire', kept: /* @__PURE__ */ keep<Published>(100) };

/** @param version the current version by default */
export async function readVersion(
  table: Questionnaires<'get'>,
  questionnaireId: string,
  version?: string,
): Promise<Published | null> {
  return readPublished(table, shelf, questionnaireId, version);
}

/** A page of the questionnaires, by id. */
export async function readHeads(
  table: Questionnaires<'query'>,
  page: { limit: number; after: string | null },
): Promise<{ rows: Head[]; next: string | null }> {
  return readHeadPage<Head>(table, heads, page);
}

/** The current version of each questionnaire, by id: one Query for each megabyte, which is hundreds of them. */
export async function currentVersions(table: Questionnaires<'query'>): Promise<Map<string, string>> {
  const rows = await queryAll<Head>(table, inPartition({ part: heads }));
  return new Map(rows.map(({ questionnaireId, version }) => [questionnaireId, version]));
}

export type Publication = {
  readonly definition: Definition;
  readonly now: Date;
  readonly occasion: AuditOccasion;
  readonly beside?: () => Promise<Items>;
};

/** @returns the version as it was first published; null if it is published with other content */
export async function publish(
  tables: {
    readonly Questionnaires: Questionnaires<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  },
  { definition, now, occasion, beside }: Publication,
): Promise<Published | null> {
  const { questionnaireId, version, title } = definition;
  const published: Published = { ...definition, publishedAt: now.toISOString() };
  const { publishedAt } = published;
  return publishVersion(tables.Questionnaires, shelf, {
    id: questionnaireId,
    version,
    published,
    head: { questionnaireId, title, publishedAt },
    isSame: (known) => isSame(known, definition),
    beside,
    audit: (before) => {
      const subject = `questionnaire/${questionnaireId}/${version}`;
      const said = { ...occasion, action: questionnairePublished, subject, before, after: { version, title } };
      return auditPut(tables.AuditEvents, auditEvent({ ...said, realNow: new Date(), random: randomUUID() }));
    },
  });
}

function isSame({ publishedAt: _publishedAt, ...known }: Published, definition: Definition): boolean {
  // The stored form, without undefined fields.
  return isDeepStrictEqual(known, JSON.parse(JSON.stringify(definition)));
}
