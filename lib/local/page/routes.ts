import type { ApiModel, StageModel } from '../model.ts';
import { localBases, type OpenApi, type Operation } from './documents.ts';

/** A route of the running template. */
export type RouteLine = {
  readonly application: string;
  readonly method: string;
  /** With the base address: `/de/v1/users/me`. */
  readonly path: string;
  /** Without an authorizer. */
  readonly isPublic: boolean;
  /** This and the following fields come from the document; null if it does not have this route. */
  readonly permission: string | null;
  readonly summary: string | null;
  /** The address in the API reference. */
  readonly reference: string | null;
};

/** In the template's order, without CORS mocks and without the answers to undeclared methods of a path. */
export function routesOf(model: StageModel, document: OpenApi): RouteLine[] {
  const bases = localBases(document);
  return model.apis.flatMap((api) =>
    api.methods
      .filter(({ httpMethod, integration }) => httpMethod !== 'ANY' && integration.type === 'lambda')
      .map(({ httpMethod, path: resource, authorizerId }) => {
        const path = `/${api.stageName}${resource}`;
        const operation = operationAt(document, bases, httpMethod, path);
        return {
          application: applicationOf(api, model),
          method: httpMethod,
          path,
          isPublic: authorizerId === null,
          permission: operation?.['x-permission'] ?? null,
          summary: operation?.summary ?? null,
          reference: operation ? `/_local/reference/#/${operation.tags?.[0]}/${operation.operationId}` : null,
        };
      }),
  );
}

/**
 * The application that the template gives to the API's authorizer; for an API without an authorizer, the API's name.
 */
function applicationOf({ authorizers, name }: ApiModel, { functions }: StageModel): string {
  const arns = authorizers.map(({ functionArn }) => functionArn);
  return functions.find(({ arn }) => arns.includes(arn))?.environment.APPLICATION ?? name;
}

function operationAt({ paths }: OpenApi, bases: readonly string[], method: string, path: string): Operation | null {
  const base = bases.find((each) => path.startsWith(`${each}/`));
  return (base !== undefined && paths[path.slice(base.length)]?.[method.toLowerCase()]) || null;
}
