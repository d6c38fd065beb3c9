import type { Consumer } from '../lib/contract/consumer.ts';
import type { Route } from '../lib/contract/route.ts';
import * as agentBoard from './agent-board/routes.ts';
import * as agreements from './agreements/routes.ts';
import * as appVersion from './app-version/routes.ts';
import * as audit from './audit/routes.ts';
import * as auth from './auth/routes.ts';
import * as consentEvents from './consent-events/consumers.ts';
import * as consents from './consents/routes.ts';
import * as devices from './devices/routes.ts';
import * as erasureConsumers from './erasure/consumers.ts';
import * as erasure from './erasure/routes.ts';
import * as health from './health/routes.ts';
import * as iam from './iam/routes.ts';
import * as ledgerConsumers from './ledger/consumers.ts';
import * as pushConsumers from './push/consumers.ts';
import * as push from './push/routes.ts';
import * as receipts from './receipts/routes.ts';
import * as statisticsConsumers from './statistics/consumers.ts';
import * as statistics from './statistics/routes.ts';
import * as timeMachine from './time-machine/routes.ts';
import * as users from './users/routes.ts';

/** THE list: one line a domain. A domain's folder has its name; a route's handler is the file in `handlers/` named as its operation. */
export const domains: Record<string, Record<string, Route>> = {
  consents,
  agreements,
  receipts,
  statistics,
  'app-version': appVersion,
  auth,
  users,
  erasure,
  devices,
  iam,
  audit,
  health,
  'agent-board': agentBoard,
  push,
  'time-machine': timeMachine,
};

/** The functions that no route calls: one line a domain that has some. */
export const consuming: Record<string, Record<string, Consumer>> = {
  push: pushConsumers,
  erasure: erasureConsumers,
  ledger: ledgerConsumers,
  'consent-events': consentEvents,
  statistics: statisticsConsumers,
};

export type ConsumerFunction = Omit<Operation, 'route'> & { readonly consumer: Consumer };

export type Operation = {
  /** The name of the declaration: the OpenAPI `operationId`, and in kebab case the handler's file. */
  readonly id: string;
  readonly domain: string;
  readonly route: Route;
  /** Below the project's root: `functions/consents/handlers/revoke-consent.ts`. */
  readonly file: string;
};

export const operations: readonly Operation[] = Object.entries(domains).flatMap(([domain, routes]) =>
  Object.entries(routes).map(([id, route]) => ({
    id,
    domain,
    route,
    file: `functions/${domain}/handlers/${kebab(id)}.ts`,
  })),
);

export const consumers: readonly ConsumerFunction[] = Object.entries(consuming).flatMap(([domain, declared]) =>
  Object.entries(declared).map(([id, consumer]) => ({
    id,
    domain,
    consumer,
    file: `functions/${domain}/handlers/${kebab(id)}.ts`,
  })),
);

function kebab(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
