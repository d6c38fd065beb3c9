import { randomUUID } from 'node:crypto';
import { auditEvent, auditPut } from '../../audit/rules/audit-event.ts';
import { type Erasure, held, lifted } from '../rules/erasure.ts';
import type { Decision } from '../stores/erasure-rows.ts';
import { holdMove } from '../stores/hold-rows.ts';
import { applicationOf } from '../stores/known-users.ts';
import { changeLogged, type Place } from './register.ts';

/** A legal hold and its audit event, which are written together or not at all. */

export type Administering = {
  readonly place: Place;
  readonly tables: Readonly<Record<'Users' | 'ConsentStates' | 'AuditEvents' | 'LegalHolds', string>>;
  readonly userId: string;
  /** Who does it, when and by which request. */
  readonly by: string;
  readonly application: string;
  readonly requestId: string;
  readonly realNow: Date;
};

export type Outcome =
  | { outcome: 'unknown-user' }
  | { outcome: 'released' }
  | { outcome: 'done'; erasure: Erasure | null };

export async function placeHold(administering: Administering, reason: string): Promise<Outcome> {
  const { place, userId, by, realNow } = administering;
  const known = await knownApplication(administering);
  let isReleased = false;
  const erasure = await changeLogged(place, userId, (before) => {
    if (!before && known === undefined) return null;
    const hold = { since: realNow.toISOString(), by, reason };
    const after = held(before, { userId, application: known ?? null, ...hold });
    isReleased = after === null;
    return after && audited(administering, before, after);
  });
  if (isReleased) return { outcome: 'released' };
  return erasure ? { outcome: 'done', erasure } : { outcome: 'unknown-user' };
}

export async function liftHold(administering: Administering): Promise<Outcome> {
  const erasure = await changeLogged(administering.place, administering.userId, (before) => {
    return before && audited(administering, before, lifted(before, administering.realNow));
  });
  if (!erasure && (await knownApplication(administering)) === undefined) return { outcome: 'unknown-user' };
  return { outcome: 'done', erasure };
}

function knownApplication({ place, tables, userId }: Administering) {
  return applicationOf(place.dynamo, tables, userId);
}

/** Where nothing changes there is no event either. */
function audited(administering: Administering, before: Erasure | null, after: Erasure): Decision {
  if (after === before) return { after };
  const { tables, userId, by, application, requestId, realNow } = administering;
  const event = auditEvent({
    application,
    actor: by,
    action: after.legalHold ? 'legal-hold.placed' : 'legal-hold.lifted',
    subject: `user/${userId}`,
    requestId,
    before: before?.legalHold ? { legalHold: before.legalHold } : null,
    after: after.legalHold ? { legalHold: after.legalHold } : null,
    realNow,
    random: randomUUID(),
  });
  return { after, also: [holdMove(tables.LegalHolds, after), auditPut(tables.AuditEvents, event)] };
}
