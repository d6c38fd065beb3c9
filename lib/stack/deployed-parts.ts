import { createHash } from 'node:crypto';
import { CfnDeployment } from 'aws-cdk-lib/aws-apigateway';
import type { CfnResource, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/**
 * The parts of an API that a deployment takes a picture of. API Gateway serves that picture, and CloudFormation takes no
 * new one while the deployment's logical id stays; so the id follows from the properties of every part.
 */
export class DeployedParts {
  private readonly stack: Stack;
  private readonly parts: { id: string; resource: CfnResource; props: unknown }[] = [];

  constructor(stack: Stack) {
    this.stack = stack;
  }

  add<P, R extends CfnResource>(Kind: new (scope: Construct, id: string, props: P) => R, id: string, props: P): R {
    const resource = new Kind(this.stack, id, props);
    this.parts.push({ id, resource, props });
    return resource;
  }

  deploy(restApiId: string): CfnDeployment {
    const picture = this.stack.resolve(this.parts.map(({ id, props }) => [id, props]));
    const digest = createHash('sha256').update(JSON.stringify(picture)).digest('hex').slice(0, 12);
    const deployment = new CfnDeployment(this.stack, `Deployment${digest}`, { restApiId });
    for (const { resource } of this.parts) deployment.addResourceDependency(resource);
    return deployment;
  }
}
