import { commit } from '../../../lib/runtime/commit.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Reads, readPerson } from '../../access/reads.ts';
import { dataSharing } from '../../product.ts';
import { checkSite } from '../rules/unfit-row.ts';
import type { UrgentTicket } from '../rules/urgent-ticket.ts';
import { type AttendanceTables, readIsAttended } from '../stores/site-attendance.ts';
import { moveItems, readUrgentTicket, readWaiting } from '../stores/urgent-rows.ts';
import type { UrgentTickets } from '../tables.ts';

const limit = 100;
const atOnce = 5;
/** What a run keeps for counting. */
const reserveMs = 3_000;

type Escalating = Reads & {
  readonly tables: AttendanceTables & {
    readonly UrgentTickets: UrgentTickets<'get' | 'put' | 'remove'>;
  };
};

type IsAttended = (siteId: string) => Promise<boolean>;

/** `failures`: of tickets that the next run tries again. */
export type HandedOver = { readonly moved: number; readonly failures: readonly unknown[] };

/**
 * Tickets that wait for a site at which nobody may see them any more (the patient has left or revoked, the last physician has gone,
 * the site was closed) go to `clinical-safety` now, and not when their hour is over.
 */
export async function escalateUnattendedTickets(
  deps: Escalating & { readonly tables: { readonly UrgentTickets: UrgentTickets<'query'> } },
  { now, remainingMs }: { readonly now: Date; readonly remainingMs: () => number },
  options?: RetryOptions,
): Promise<HandedOver> {
  const { tables } = deps;
  // A run asks each site once.
  const known = new Map<string, Promise<boolean>>();
  const isAttended: IsAttended = (siteId) => {
    const asked = known.get(siteId) ?? readIsAttended(tables, siteId);
    known.set(siteId, asked);
    return asked;
  };
  const failures: unknown[] = [];
  let moved = 0;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readWaiting>> = await readWaiting(tables.UrgentTickets, now, {
      limit,
      after,
    });
    await mapWithConcurrency(page.found, atOnce, async ({ ticketId }) => {
      if (remainingMs() < reserveMs) return;
      try {
        if (await handOver(deps, ticketId, isAttended, options)) moved += 1;
      } catch (error) {
        failures.push(error);
      }
    });
    after = page.next;
  } while (after !== null && remainingMs() >= reserveMs);
  return { moved, failures };
}

async function handOver(
  deps: Escalating,
  ticketId: string,
  isAttended: IsAttended,
  options?: RetryOptions,
): Promise<boolean> {
  const { tables } = deps;
  return retryOnContention(async () => {
    const before = await readUrgentTicket(tables.UrgentTickets, ticketId);
    if (!before || before.acknowledgedAt !== null || before.siteId === null) return false;
    checkSite(before);
    if (await isOfSite(deps, { ...before, siteId: before.siteId }, isAttended)) return false;
    const after = { ...before, siteId: null };
    return (await commit(moveItems(tables.UrgentTickets, before, after))) || contended;
  }, options);
}

/** Whether somebody at its site may still see it. */
async function isOfSite(
  deps: Reads,
  { userId, siteId }: Pick<UrgentTicket, 'userId'> & { readonly siteId: string },
  isAttended: IsAttended,
): Promise<boolean> {
  const [{ isOpen, sites, consent }, attended] = await Promise.all([
    readPerson(deps, userId, dataSharing),
    isAttended(siteId),
  ]);
  return attended && isOpen && consent !== null && sites.some((each) => each.siteId === siteId);
}
