import { randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { CareRelation, CareRelations } from '../../access/data-subject.ts';
import { decideJoin, type Site, type Wish } from '../rules/site.ts';
import { isLocked, triesAfter } from '../rules/tries.ts';
import {
  type EndedRelationTables,
  endRelation,
  type MadeRelationTables,
  mainItems,
  makeRelation,
  readOwnRelations,
  readRelation,
} from '../stores/care-relations.ts';
import { readSite, readSiteOfCode } from '../stores/sites.ts';
import { putTries, readTries } from '../stores/tries-rows.ts';
import type { SiteCodeTries, Sites } from '../tables.ts';

/** A patient comes to a site, and leaves it. */

type RelationChange = Wish & {
  readonly userId: string;
  readonly now: Date;
  /** That of limits, whatever the time machine says. */
  readonly realNow: Date;
};

export type Joined = { readonly site: Site; readonly relation: CareRelation } | 'locked' | 'wrong' | 'full';

/** One user's tries are decided one after the other, so that eleven at once surely get through. */
const retries = 10;

/**
 * Puts a patient with the site whose code it is. Each join and each wrong code changes the user's row of tries in its
 * transaction: so a decision stands on all tries before it, and of many at once no more than ten are looked at.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function joinSite(
  tables: MadeRelationTables & {
    readonly CareRelations: CareRelations<'query'>;
    readonly Sites: Sites<'get'>;
    readonly SiteCodeTries: SiteCodeTries<'get' | 'put'>;
  },
  { userId, now, realNow, ...wish }: RelationChange,
  options: RetryOptions = {},
): Promise<Joined> {
  const attempt = async () => {
    const [tries, siteId] = await Promise.all([
      readTries(tables.SiteCodeTries, userId),
      wish.siteId ?? readSiteOfCode(tables.Sites, wish.code),
    ]);
    // After the tries: who joined meanwhile has changed them.
    const [site, relations] = await Promise.all([
      siteId === null ? null : readSite(tables.Sites, siteId),
      readOwnRelations(tables.CareRelations, userId),
    ]);
    const decision = decideJoin(wish, { site, relations, isLocked: isLocked(tries, realNow) });
    if (decision.kind === 'known') return decision;
    if (decision.kind === 'locked') return decision.kind;
    const changed = (isWrong: boolean) => {
      const after = triesAfter(tries, { userId, changeId: randomUUID(), realNow, isWrong });
      return putTries(tables.SiteCodeTries, after, tries);
    };
    if (decision.kind === 'wrong') return (await commit([changed(true)])) ? decision.kind : contended;
    // The answer that a code is right depends on the count that was read, like the answer that it is wrong.
    if (decision.kind === 'full') return (await commit([changed(false)])) ? decision.kind : contended;
    const relation = { userId, siteId: decision.site.siteId, since: now.toISOString() };
    const made = [changed(false), ...makeRelation(tables, relation, wish.code)];
    return (await commit(made)) ? { site: decision.site, relation } : contended;
  };
  return retryOnContention<Joined>(attempt, { retries, ...options });
}

/**
 * Makes a site that the patient is with the main one, or no longer. Each choice changes the user's row of tries, as joins do: one is decided after the
 * other, so that there is never more than one.
 *
 * @returns null, and nothing changed, where the patient is not with the site
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function chooseMain(
  tables: {
    readonly CareRelations: CareRelations<'query' | 'put'>;
    readonly SiteCodeTries: SiteCodeTries<'get' | 'put'>;
  },
  { userId, siteId, isMain, realNow }: Pick<CareRelation, 'userId' | 'siteId'> & { isMain: boolean; realNow: Date },
  options: RetryOptions = {},
): Promise<CareRelation | null> {
  const attempt = async () => {
    const tries = await readTries(tables.SiteCodeTries, userId);
    // After the tries: what another choice has changed meanwhile has changed them, too.
    const relations = await readOwnRelations(tables.CareRelations, userId);
    const relation = relations.find((each) => each.siteId === siteId);
    if (!relation) return null;
    if ((relation.isMain === true) === isMain) return relation;
    const after = triesAfter(tries, { userId, changeId: randomUUID(), realNow, isWrong: false });
    const items = mainItems(tables.CareRelations, relations, isMain ? siteId : null);
    const isDone = await commit([putTries(tables.SiteCodeTries, after, tries), ...items]);
    return isDone ? relation : contended;
  };
  return retryOnContention<CareRelation | null>(attempt, { retries, ...options });
}

/**
 * Without a relation it changes nothing.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function leaveSite(
  tables: EndedRelationTables & { readonly CareRelations: CareRelations<'get'> },
  named: Pick<CareRelation, 'userId' | 'siteId'>,
  options: RetryOptions = {},
): Promise<void> {
  await retryOnContention(async () => {
    const relation = await readRelation(tables.CareRelations, named);
    return !relation || (await commit(endRelation(tables, relation))) || contended;
  }, options);
}
