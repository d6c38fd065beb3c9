import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { ifAbsent, ifStill } from '../../../lib/runtime/conditions.ts';
import { inPartition, startingWith } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { type Condition, check, get, put, remove, type TransactItem } from '../../../lib/runtime/rows.ts';
import { nameText } from '../../crm-users/rules.ts';
import { type SiteHours, weekOf } from '../rules/opening-hours.ts';
import { postalText } from '../rules/postal-text.ts';
import { optionalFieldDefaults, type Site, type SiteKey, type SiteRow, type SiteSummary } from '../rules/site.ts';
import type { Sites } from '../tables.ts';

/**
 * Table `Sites`. A site's row, that of its code, and those by which it is found change in one transaction. Every read is strongly
 * consistent.
 */

export async function readSite(table: Sites<'get'>, siteId: string): Promise<Site | null> {
  const row = await get<SiteRow>(table, siteKeyOf(siteId));
  return row && siteOf(row);
}

function siteOf({ kind: _kind, siteKey: _key, ...row }: SiteRow): Site {
  return { ...optionalFieldDefaults, ...row };
}

/** What reckons with hours asks: of a deleted site only its zone is left. Null where there was no such site. */
export async function readSiteHours(table: Sites<'get'>, siteId: string): Promise<SiteHours | null> {
  const site = await readSite(table, siteId);
  if (!site) {
    const deleted = await get<SiteSummary>(table, deletedKeyOf(siteId));
    return deleted && { siteId, timezone: deleted.timezone, week: null, holidays: null };
  }
  const { timezone, openingHours, holidays } = site;
  return { siteId, timezone, week: openingHours && weekOf(openingHours), holidays };
}

/** Whose short code it is; null where it is nobody's, or no more. */
export async function readSiteOfCode(table: Sites<'get'>, code: string): Promise<string | null> {
  return (await get(table, codeKeyOf(code)))?.siteId ?? null;
}

/** Which sites: all, in the order in which they were made; or those whose name or postal code begins so, in its order. */
export type Search = { readonly kind: 'site' } | { readonly kind: 'name' | 'postal-code'; readonly text: string };

/** @param page `after`: the `siteKey` that the page before ended with */
export async function readSites(
  table: Sites<'query'>,
  search: Search,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ sites: Site[]; next: string | null }> {
  const prefix = search.kind === 'site' ? '' : search.text;
  const query = inPartition({ kind: search.kind }, { siteKey: startingWith(prefix) }, after);
  const { rows, next } = await queryPage<SiteRow>(table, query, limit);
  return { sites: rows.map(siteOf), next };
}

/**
 * What other domains show of sites; one that is not there is left out. Of a deleted one the name is left, for the log of who looked.
 *
 * @param siteIds at most 100 different ones
 */
export async function readSiteSummaries(
  table: Sites<'batchGet'>,
  siteIds: readonly string[],
): Promise<ReadonlyMap<string, SiteSummary>> {
  const ids = [...new Set(siteIds)];
  const rowsOf = async (keys: SiteKey[]) => (keys.length === 0 ? [] : batchGet<SiteSummary>(table, keys));
  const sites = new Map((await rowsOf(ids.map(siteKeyOf))).map((site) => [site.siteId, site]));
  const missing = ids.filter((siteId) => !sites.has(siteId));
  for (const site of await rowsOf(missing.map(deletedKeyOf))) sites.set(site.siteId, site);
  return sites;
}

function siteKeyOf(siteId: string): SiteKey {
  return { kind: 'site', siteKey: siteId };
}

function codeKeyOf(code: string): SiteKey {
  return { kind: 'code', siteKey: code };
}

function deletedKeyOf(siteId: string): SiteKey {
  return { kind: 'deleted', siteKey: siteId };
}

/** By which it is searched. */
function searchKeysOf({ siteId, name, address }: Site): SiteKey[] {
  const postal = address === null ? '' : postalText(address.postalCode);
  return [
    { kind: 'name', siteKey: `${nameText(name)} #${siteId}` },
    ...(postal === '' ? [] : [{ kind: 'postal-code' as const, siteKey: `${postal}#${siteId}` }]),
  ];
}

/** Items of a transaction: a site that is new. */
export function addSite(table: Sites<'put'>, site: Site) {
  return [...siteItems(table, site, ifAbsent('kind')), codeItem(table, site)];
}

/** Items of a transaction: a site as it is now, on the condition that it is still what it was decided on. */
export function putSite(table: Sites<'put' | 'remove'>, site: Site, before: Site) {
  const found = searchKeysOf(site);
  const left = searchKeysOf(before).filter(
    ({ siteKey, kind }) => !found.some((key) => key.siteKey === siteKey && key.kind === kind),
  );
  const code = before.code === site.code ? [] : [remove(table, codeKeyOf(before.code)), codeItem(table, site)];
  return [
    ...siteItems(table, site, ifStill('kind', before.revision)),
    ...left.map((key) => remove(table, key)),
    ...code,
  ];
}

function siteItems(table: Sites<'put'>, site: Site, condition: Condition) {
  const found = searchKeysOf(site).map((key) => put(table, { ...key, ...site }));
  return [put(table, { ...siteKeyOf(site.siteId), ...site }, condition), ...found];
}

/** If two sites draw the same code, the second one draws again. */
function codeItem(table: Sites<'put'>, { code, siteId }: Site) {
  return put(table, { ...codeKeyOf(code), siteId }, ifAbsent('kind'));
}

/** The items of a transaction that deletes a site, on the condition that it is still what was read. Its name stays, for what was looked at. */
export function deleteSiteItems(table: Sites<'put' | 'remove'>, site: Site) {
  const { siteId, name, timezone } = site;
  return [
    remove(table, siteKeyOf(siteId), ifStill('kind', site.revision)),
    ...[...searchKeysOf(site), codeKeyOf(site.code)].map((key) => remove(table, key)),
    put(table, { ...deletedKeyOf(siteId), siteId, name, timezone }),
  ];
}

/** The condition that a site is open; with `code` also that this is its code. */
export function checkSiteOpen(table: Sites<'check'>, siteId: string, code: string | null): TransactItem {
  return check(table, siteKeyOf(siteId), {
    ConditionExpression: code === null ? '#status = :open' : '#status = :open AND code = :code',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':open': 'open', ...(code !== null && { ':code': code }) },
  });
}
