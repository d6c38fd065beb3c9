import type { CfnKey } from 'aws-cdk-lib/aws-kms';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Application, Environment } from '../contract/deployments.ts';
import { addIdentity, type Identity } from './identity.ts';
import { addKey } from './key.ts';
import { addRateLimit } from './rate-limit.ts';
import { settings } from './settings.ts';
import { stackProps } from './stack-props.ts';
import { addTables, type Tables } from './tables.ts';

/** What outlives a change of the API: data, users, keys, and the limit that both APIs share. */
export class StateStack extends Stack {
  readonly key: CfnKey;
  readonly tables: Tables;
  /** Seals the collections' cursors. */
  readonly cursorKey: CfnSecret;
  readonly identities: Readonly<Record<Application, Identity>>;
  readonly webAcl: CfnWebACL;

  constructor(scope: Construct, environment: Environment) {
    super(scope, 'State', stackProps(environment, 'State'));
    const chosen = settings[environment];
    this.key = addKey(this, environment, chosen);
    this.tables = addTables(this, this.key.attrArn, chosen);
    this.cursorKey = new CfnSecret(this, 'CursorKey', {
      description: `Mobile health, ${environment}: seals the cursors of collections`,
      kmsKeyId: this.key.attrArn,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    this.identities = {
      sleepcare: addIdentity(this, environment, 'sleepcare', chosen),
      medinfo: addIdentity(this, environment, 'medinfo', chosen),
    };
    this.webAcl = addRateLimit(this, environment);
  }
}
