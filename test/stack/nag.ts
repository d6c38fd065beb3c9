import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, HIPAASecurityChecks, type IApplyRule, NagRuleCompliance } from 'cdk-nag';
import * as productModule from '../../bin/product.ts';
import { declarations } from '../../functions/domains.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { buildApp } from '../../lib/stack/app.ts';

/** What the rule packs say of an environment, acknowledged or not. */

type Finding = { readonly rule: string; readonly path: string };
/** `path` is that of the construct itself that was acknowledged. */
type Acknowledged = Finding & { readonly reason: string };

export type Report = {
  /** Of all rules, whatever is acknowledged. */
  readonly findings: readonly Finding[];
  readonly acknowledged: readonly Acknowledged[];
  /** The packs' own verdict. */
  readonly violations: readonly Finding[];
  /** The templates' folder. */
  readonly directory: string;
};

type Tell = (finding: Finding) => void;

/** A rule as it is, which also tells what it found: a pack reports no finding that is acknowledged. */
function told({ rule, ...params }: IApplyRule, pack: string, tell: Tell): IApplyRule {
  const suffix = params.ruleSuffixOverride ?? rule.name;
  return {
    ...params,
    ruleSuffixOverride: suffix,
    rule: (node) => {
      const result = rule(node);
      const path = node.node.path;
      if (result === NagRuleCompliance.NON_COMPLIANT) tell({ rule: `${pack}-${suffix}`, path });
      if (Array.isArray(result)) for (const one of result) tell({ rule: `${pack}-${suffix}[${one}]`, path });
      return result;
    },
  };
}

class AwsSolutions extends AwsSolutionsChecks {
  tell: Tell = () => {};
  protected override applyRule(params: IApplyRule): void {
    super.applyRule(told(params, this.readPackName, this.tell));
  }
}

class HipaaSecurity extends HIPAASecurityChecks {
  tell: Tell = () => {};
  protected override applyRule(params: IApplyRule): void {
    super.applyRule(told(params, this.readPackName, this.tell));
  }
}

export function report(environment: Environment): Report {
  const root = mkdtempSync(join(tmpdir(), 'mobile-health-nag-'));
  const functionsDir = join(root, 'functions');
  for (const { name } of functionEntries(declarations)) {
    mkdirSync(join(functionsDir, name), { recursive: true });
    writeFileSync(join(functionsDir, name, 'index.mjs'), name);
  }
  const app = buildApp({
    module: productModule,
    environment,
    codeOf: (name) => join(functionsDir, name),
    outdir: join(root, 'assembly'),
  });
  // Weak references have their names, and resources their metadata, once the app was synthesized.
  const { directory } = app.synth();
  const findings: Finding[] = [];
  const violations = [new AwsSolutions(), new HipaaSecurity()].flatMap((pack) => {
    pack.tell = (finding) => findings.push(finding);
    return pack
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => ({ rule: ruleName, path: constructPath ?? '' })),
      );
  });
  return { findings, acknowledged: acknowledgedIn(app), violations, directory };
}

function acknowledgedIn(app: App): Acknowledged[] {
  return app.node.findAll().flatMap(({ node: { path, metadata } }) =>
    metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ rule: id.replace(/^annotation::/i, ''), path, reason })),
  );
}
