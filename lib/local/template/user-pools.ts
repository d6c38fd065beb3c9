import * as z from 'zod/mini';
import type { UserPoolModel } from '../model.ts';
import { physicalName, reference } from './physical.ts';
import { ofType, read } from './resources.ts';
import type { Deployment } from './stacks.ts';

const Pool = z.object({ UserPoolName: z.optional(z.string()) });
const Client = z.object({ UserPoolId: z.string(), ClientName: z.optional(z.string()) });
const Group = z.object({ UserPoolId: z.string(), GroupName: z.string() });

export function userPoolsOf(deployment: Deployment): UserPoolModel[] {
  const clients = ofType(deployment, 'AWS::Cognito::UserPoolClient').map((resource) => {
    const { UserPoolId, ClientName } = read(resource, Client);
    return { poolId: UserPoolId, id: reference(resource), name: ClientName ?? physicalName(resource) };
  });
  const groups = ofType(deployment, 'AWS::Cognito::UserPoolGroup').map((resource) => read(resource, Group));
  return ofType(deployment, 'AWS::Cognito::UserPool').map((resource) => {
    const id = reference(resource);
    return {
      id,
      name: read(resource, Pool).UserPoolName ?? physicalName(resource),
      clients: clients.filter(({ poolId }) => poolId === id).map(({ id, name }) => ({ id, name })),
      groups: groups.filter(({ UserPoolId }) => UserPoolId === id).map(({ GroupName }) => GroupName),
    };
  });
}
