import type { EventBusModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { attributeOf, physicalName } from './physical.ts';
import { ofType } from './resources.ts';

/** Every account has the bus `default`, even if the template does not declare it. */
export function eventBusesOf(deployment: Deployment): EventBusModel[] {
  const { region, accountId } = deployment;
  const own = ofType(deployment, 'AWS::Events::EventBus').map((resource) => ({
    name: physicalName(resource),
    arn: String(attributeOf(resource, 'Arn')),
  }));
  return [{ name: 'default', arn: `arn:aws:events:${region}:${accountId}:event-bus/default` }, ...own];
}
