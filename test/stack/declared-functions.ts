import { ConsentRecords, ConsentStates } from '../../functions/access/consent-states.ts';
import { AccessLog, CareRelations, Staff } from '../../functions/access/data-subject.ts';
import { consumers, operations } from '../../functions/domains.ts';
import { applications } from '../../functions/product.ts';
import { Clock } from '../../functions/time-machine/tables.ts';
import { Accounts } from '../../lib/contract/accounts.ts';
import { type Consumer, runsIn } from '../../lib/contract/consumer.ts';
import { EndedSessions } from '../../lib/contract/ended-sessions.ts';
import type { Application, Environment } from '../../lib/contract/register.ts';
import { existsIn, hasCursors, type Route } from '../../lib/contract/route.ts';
import { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
import { listedTables } from '../../lib/contract/table-names.ts';
import type { Table } from '../../lib/contract/tables.ts';
import {
  append,
  batch,
  check,
  get,
  ofKind,
  read,
  tablesIn,
  type UsedTable,
  type Uses,
} from '../../lib/contract/uses.ts';
import { functionName, logicalId, procedureFunctionName } from '../../lib/stack/names.ts';

/** Every function that a stage should have, and what follows for it from the declarations: said without lib/stack. */
export type DeclaredFunction = {
  /** `SleepcareConsents/Agree`: its template, and the beginning of its logical ids. */
  readonly name: string;
  readonly bundle: string;
  /** Absent: CloudFormation names it after its stack. */
  readonly physicalName?: string;
  readonly application: Application;
  readonly uses: Uses;
  readonly tables: readonly UsedTable[];
  /** Of these, a consumer's that share one variable. */
  readonly listed: readonly Table[];
  /** The table whose changes, or the queue whose messages it consumes. */
  readonly stream?: string | undefined;
  readonly queue?: string | undefined;
  readonly hasCursors: boolean;
  readonly isAuthorizer: boolean;
  readonly isScheduled: boolean;
  /** Whether it runs as a role of another stack: the ledger's policy names the role that sets an expiry. */
  readonly expires: boolean;
  readonly timeoutSeconds: number;
};

export function declaredFunctions(environment: Environment): DeclaredFunction[] {
  return applications.flatMap((application) => [
    ...gatewaysOwn(application),
    ...operations
      .filter(({ route }) => existsIn(route, environment, application))
      .map(({ id, domain, route }) => ({
        ...named(id, logicalId(application, domain), application),
        uses: route.uses ?? [],
        tables: withAccounts(route, environment),
        hasCursors: hasCursors(route),
        // The gateway waits no longer.
        timeoutSeconds: 10,
      })),
    ...consumers
      .filter(({ consumer }) => runsIn(consumer, application))
      .map(({ id, consumer }) => ({
        ...named(id, logicalId(application, 'consumers'), application),
        ...(consumer.procedure && {
          physicalName: procedureFunctionName(environment, application, consumer.procedure),
        }),
        uses: consumer.uses,
        // What consumes messages or changes knows only real time.
        tables:
          consumer.schedule || consumer.procedure
            ? withClock(consumer.uses, environment)
            : thatExist(tablesIn(consumer.uses), environment),
        listed: listedTables(thatExist(tablesIn(consumer.uses), environment).map(([table]) => table)),
        stream: consumer.stream?.name,
        queue: consumer.queue?.name,
        isScheduled: consumer.schedule !== undefined,
        timeoutSeconds: timeoutOf(consumer),
        expires: ofKind(consumer.uses, 'table').some(({ access }) => access === 'expire'),
      })),
  ]);
}

function named(id: string, template: string, application: Application) {
  const bundle = functionName(id);
  return {
    name: `${template}/${logicalId(bundle)}`,
    bundle,
    application,
    listed: [],
    hasCursors: false,
    isAuthorizer: false,
    isScheduled: false,
    expires: false,
  };
}

/** The staff's roles are rows of a table; the app for patients has none, and its authorizer no table. */
function gatewaysOwn(application: Application): DeclaredFunction[] {
  const uses: Uses = application === 'medinfo' ? [get(StaffAccounts)] : [];
  const authorizer = named('authorizer', logicalId(application), application);
  return [
    { ...named('routeNotFound', logicalId(application), application), uses: [], tables: [], timeoutSeconds: 3 },
    { ...named('preTokenGeneration', logicalId(application), application), uses: [], tables: [], timeoutSeconds: 5 },
    {
      ...authorizer,
      bundle: application === 'medinfo' ? 'staff-authorizer' : 'authorizer',
      uses,
      tables: tablesIn(uses),
      isAuthorizer: true,
      timeoutSeconds: 9,
    },
  ];
}

/** Nobody waits for what runs by the clock. */
function timeoutOf({ schedule, queue, procedure }: Consumer): number {
  if (procedure) return 20;
  return schedule ? 900 : queue?.isLong ? 60 : 10;
}

/** Prod has no time machine. */
function thatExist(tables: readonly UsedTable[], environment: Environment): UsedTable[] {
  return tables.filter(([table]) => table !== Clock || environment !== 'prod');
}

/** In dev and staging a function that uses a table may ask for the time. */
function withClock(uses: Uses | undefined, environment: Environment): UsedTable[] {
  const declared = tablesIn(uses);
  const isReached = declared.some(([table]) => table === Clock);
  return thatExist(declared.length === 0 || isReached ? declared : [...declared, [Clock, ['read']]], environment);
}

/** A function that looks at another person's data asks whether it may, and writes that down. */
function lookingUses({ dataSubject }: Route): Uses {
  if (!dataSubject) return [];
  const always = [read(Staff), append(AccessLog)];
  if (dataSubject.relation !== 'care') return always;
  const consent = [get(ConsentStates), read(ConsentRecords)];
  if (dataSubject.each) return [...always, batch(ConsentStates), ...consent, batch(Accounts)];
  return [...always, read(CareRelations), get(Accounts), ...(dataSubject.consent ? consent : [])];
}

/** A function that is called in somebody's name asks whether the account is open and the session goes on, and writes while it is. */
function withAccounts(route: Route, environment: Environment): UsedTable[] {
  const uses = [...(route.uses ?? []), ...lookingUses(route)];
  if (route.auth === 'public') return withClock(uses, environment);
  const writes = tablesIn(route.uses).some(([, all]) =>
    all.some((one) => /write|remove|append|replace|adjust/.test(one)),
  );
  const isChecked = writes && !['manage', 'write'].includes(String(route.closedAccount));
  const asked = [batch(Accounts), batch(EndedSessions), ...(isChecked ? [check(Accounts)] : [])];
  return withClock([...uses, ...asked], environment);
}
