import { compareAppVersions } from '../../app-version/rules.ts';
import { type Json, jsonProblems, type Problem } from './json-value.ts';
import { schemaProblems, type ValueSchema, type ValueType, valueProblems } from './value-schema.ts';

/** A setting of the installed apps as an administrator defines it, and when it contradicts itself. */

export type SettingRule = {
  readonly ruleId: string;
  readonly platform: 'ios' | 'android' | null;
  readonly fromVersion: string | null;
  readonly beforeVersion: string | null;
  readonly locales: string[];
  readonly rolloutPercentage: number;
  /** From then until before the end, by the service's clock. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly value: Json;
};

export type Definition = {
  readonly description: string;
  readonly schema: ValueSchema;
  readonly defaultValue: Json;
  /** Pulled, its value is everybody's. */
  readonly killSwitch: { readonly isPulled: boolean; readonly value: Json } | null;
  readonly rules: SettingRule[];
};

export type SettingRow = {
  readonly application: string;
  readonly settingId: string;
  /** Stays what it is, also when the setting is deleted; null of one that could not be read then. */
  readonly type: ValueType | null;
  /** JSON, since a value has numbers and names that DynamoDB takes for something else; null of a deleted one. */
  readonly definition: string | null;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly revision: number;
  /** New for each change. */
  readonly changeId: string;
};

/** As a request has it: values and schema are yet to be checked. */
export type DefinitionStated = Omit<Definition, 'schema' | 'defaultValue' | 'killSwitch' | 'rules'> & {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly defaultValue?: unknown;
  readonly killSwitch: { readonly isPulled: boolean; readonly value?: unknown } | null;
  readonly rules: (Omit<SettingRule, 'value'> & { readonly value?: unknown })[];
};

export type Checked =
  | { readonly definition: Definition; readonly problems: readonly [] }
  | { readonly definition: null; readonly problems: readonly Problem[] };

/** @param type which the setting has already; null for a new one */
export function checkedDefinition(stated: DefinitionStated, type: ValueType | null): Checked {
  const unreadable = jsonProblems(stated);
  if (unreadable.length > 0) return { definition: null, problems: unreadable };
  const ofSchema = schemaProblems(stated.schema, 'schema');
  if (ofSchema.length > 0) return { definition: null, problems: ofSchema };
  // What a request's JSON is made of is no more than this type says.
  const definition = stated as Definition;
  const problems = [...typeProblems(definition, type), ...valuesProblems(definition), ...ruleProblems(definition)];
  return problems.length > 0 ? { definition: null, problems } : { definition, problems: [] };
}

function typeProblems({ schema }: Definition, type: ValueType | null): Problem[] {
  if (type === null || schema.type === type) return [];
  return [
    {
      path: 'schema.type',
      message: `must stay ${type}, because installed apps read it; for another type define another setting`,
    },
  ];
}

function valuesProblems({ schema, defaultValue, killSwitch, rules }: Definition): Problem[] {
  return [
    ...valueProblems(defaultValue, schema, 'defaultValue'),
    ...(killSwitch ? valueProblems(killSwitch.value, schema, 'killSwitch.value') : []),
    ...rules.flatMap(({ value }, index) => valueProblems(value, schema, `rules[${index}].value`)),
  ];
}

function ruleProblems({ rules }: Definition): Problem[] {
  return rules.flatMap(({ ruleId, fromVersion, beforeVersion, startsAt, endsAt }, index): Problem[] => {
    const path = `rules[${index}]`;
    const isRepeated = rules.findIndex((other) => other.ruleId === ruleId) < index;
    const isEmpty =
      fromVersion !== null && beforeVersion !== null && compareAppVersions(fromVersion, beforeVersion) >= 0;
    const isNever = startsAt !== null && endsAt !== null && endsAt <= startsAt;
    return [
      ...(isRepeated ? [{ path: `${path}.ruleId`, message: 'must be different from the ids of other rules' }] : []),
      ...(isEmpty ? [{ path: `${path}.beforeVersion`, message: 'must be newer than fromVersion' }] : []),
      ...(isNever ? [{ path: `${path}.endsAt`, message: 'must be later than startsAt' }] : []),
    ];
  });
}
