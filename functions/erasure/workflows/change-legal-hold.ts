import { randomUUID } from 'node:crypto';
import type { ConsentStates } from '../../access/consent-states.ts';
import { auditPut } from '../../audit/exports.ts';
import { auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import type { Users } from '../../users/tables.ts';
import { legalHoldLifted, legalHoldPlaced } from '../audit-actions.ts';
import { held, lifted } from '../rules/erasure.ts';
import type { Erasure } from '../rules/state.ts';
import { type Decision, readErasureRow } from '../stores/erasure-rows.ts';
import { holdMove } from '../stores/hold-rows.ts';
import { applicationOf } from '../stores/known-users.ts';
import type { Erasures, LegalHolds } from '../tables.ts';
import { changeLogged, type RegisterDependencies } from './register.ts';

/** A legal hold and its audit event, which are written together or not at all. */

export type Administering = {
  readonly deps: RegisterDependencies;
  readonly tables: {
    readonly AuditEvents: AuditEvents<'put'>;
    readonly LegalHolds: LegalHolds<'put' | 'remove'>;
  };
  readonly userId: string;
  /** Who does it, when and by which request. */
  readonly by: string;
  readonly application: string;
  readonly requestId: string;
  readonly realNow: Date;
  readonly known: HeldErasure;
};

/** The state, and the application as `applicationOf` returns it. */
export type HeldErasure = readonly [erasure: Erasure | null, application: string | null | undefined];

export function readKnown(
  tables: {
    readonly Erasures: Erasures<'get'>;
    readonly Users: Users<'get'>;
    readonly ConsentStates: ConsentStates<'query'>;
  },
  userId: string,
): Promise<HeldErasure> {
  return Promise.all([readErasureRow(tables.Erasures, userId), applicationOf(tables, userId)]);
}

export type Outcome =
  | { outcome: 'unknown-user' }
  | { outcome: 'released' }
  | { outcome: 'done'; erasure: Erasure | null };

export async function placeHold(administering: Administering, reason: string): Promise<Outcome> {
  const { deps, userId, by, realNow } = administering;
  const [known, application] = administering.known;
  let isReleased = false;
  const decide = (before: Erasure | null) => {
    if (!before && application === undefined) return null;
    const hold = { since: realNow.toISOString(), by, reason };
    const after = held(before, { userId, application: application ?? null, ...hold });
    isReleased = after === null;
    return after && audited(administering, before, after);
  };
  const erasure = await changeLogged(deps, userId, decide, { known });
  if (isReleased) return { outcome: 'released' };
  return erasure ? { outcome: 'done', erasure } : { outcome: 'unknown-user' };
}

export async function liftHold(administering: Administering): Promise<Outcome> {
  const { deps, userId, realNow } = administering;
  const [known, application] = administering.known;
  const decide = (before: Erasure | null) => before && audited(administering, before, lifted(before, realNow));
  const erasure = await changeLogged(deps, userId, decide, { known });
  return !erasure && application === undefined ? { outcome: 'unknown-user' } : { outcome: 'done', erasure };
}

/** If nothing changes, there is no audit event. */
function audited(administering: Administering, before: Erasure | null, after: Erasure): Decision {
  if (after === before) return { after };
  const { tables, userId, by, application, requestId, realNow } = administering;
  const event = auditEvent({
    application,
    actor: by,
    action: after.legalHold ? legalHoldPlaced : legalHoldLifted,
    subject: `user/${userId}`,
    requestId,
    before: before?.legalHold ? { legalHold: before.legalHold } : null,
    after: after.legalHold ? { legalHold: after.legalHold } : null,
    realNow,
    random: randomUUID(),
  });
  return { after, also: [holdMove(tables.LegalHolds, after), auditPut(tables.AuditEvents, event)] };
}
