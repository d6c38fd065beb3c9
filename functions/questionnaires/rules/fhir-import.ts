import type { Condition, Item, ItemType, Option, Texts } from './definition.ts';
import { idOfUrl, urls } from './fhir.ts';
import { extensionOf, type Node, nodeOf, nodesOf, numberOf, textOf } from './fhir-node.ts';

/**
 * Converts a FHIR R4 Questionnaire from any source to a definition. The result must still be checked against the form
 * of a definition, because nothing of the input is trusted here.
 */

export type Imported = {
  readonly questionnaireId: string | null;
  readonly version: string | null;
  readonly definition: Readonly<Record<string, unknown>>;
  /** The parts of the resource that have no place in a definition. */
  readonly notes: readonly string[];
};

/** More deeply nested groups than a definition may have. */
const recursionLimit = 10;

/** @returns null if it is not a Questionnaire */
export function importedOf(resource: Node): Imported | null {
  if (resource.resourceType !== 'Questionnaire') return null;
  const notes: string[] = [];
  const defaultLocale = textOf(resource.language) ?? 'en';
  const { scores = [], flags = [], constraints, wording } = scoringOf(resource, notes);
  const description = textsOf(resource, 'description', defaultLocale);
  const source = textOf(resource.copyright);
  noteOthers('the Questionnaire', resource, knownOfResource, notes);
  return {
    questionnaireId: idOfUrl(resource.url) ?? textOf(resource.id) ?? null,
    version: textOf(resource.version) ?? null,
    definition: {
      defaultLocale,
      title: textsOf(resource, 'title', defaultLocale) ?? textsOf(resource, 'name', defaultLocale),
      ...(description && { description }),
      ...(source !== undefined && { source }),
      ...(wording !== undefined && { wording }),
      items: itemsOf(resource, undefined, 0, { defaultLocale, notes }),
      scores,
      flags,
      ...(constraints !== undefined && { constraints }),
    },
    notes,
  };
}

const knownOfResource = [
  ...['resourceType', 'id', 'meta', 'language', 'text', 'extension', 'url', 'version', 'name', 'title', '_title'],
  ...['status', 'subjectType', 'date', 'description', '_description', 'copyright', 'item'],
];
const knownOfItem = [
  ...['linkId', 'text', '_text', 'type', 'enableWhen', 'enableBehavior', 'required', 'maxLength', 'answerOption'],
  ...['item', 'extension'],
];

function noteOthers(where: string, node: Node, known: readonly string[], notes: string[]): void {
  const others = Object.keys(node).filter((name) => !known.includes(name));
  if (others.length > 0) notes.push(`${where}: left out ${others.join(', ')}`);
}

type Scoring = { scores?: unknown; flags?: unknown; constraints?: unknown; wording?: unknown };

function scoringOf(resource: Node, notes: string[]): Scoring {
  const text = textOf(extensionOf(resource, urls.scoring)?.valueString);
  if (text === undefined) {
    notes.push('no scores and no flags: FHIR R4 has no element for them');
    return {};
  }
  try {
    const { scores, flags, constraints, wording } = JSON.parse(text);
    return { scores, flags, constraints, wording };
  } catch {
    notes.push('the scores and flags cannot be read');
    return {};
  }
}

type Context = { readonly defaultLocale: string; readonly notes: string[] };

/** The items in reading order, each after its group. */
function itemsOf(node: Node, groupId: string | undefined, depth: number, context: Context): Partial<Item>[] {
  if (depth > recursionLimit) return [];
  return nodesOf(node.item).flatMap((each) => {
    const linkId = textOf(each.linkId);
    const inner = itemsOf(each, linkId, depth + 1, context);
    noteOthers(`item ${linkId}`, each, knownOfItem, context.notes);
    return [itemOf(each, groupId, context), ...inner];
  });
}

/** Types that have another name in FHIR, or that are nearly the same. */
const types: Readonly<Record<string, ItemType>> = { string: 'text', 'open-choice': 'choice' };

function itemOf(node: Node, groupId: string | undefined, { defaultLocale, notes }: Context): Partial<Item> {
  const linkId = textOf(node.linkId) ?? '';
  const stated = textOf(node.type) ?? '';
  const type = types[stated];
  if (type) notes.push(`item ${linkId}: ${stated} became ${type}`);
  const { enableBehavior } = node;
  const [min, max] = [numberOf(extensionOf(node, urls.minValue)), numberOf(extensionOf(node, urls.maxValue))];
  return {
    linkId,
    type: type ?? (stated as ItemType),
    ...(groupId !== undefined && { groupId }),
    text: textsOf(node, 'text', defaultLocale) ?? { [defaultLocale]: linkId },
    ...(node.required === true && { required: true }),
    ...(Array.isArray(node.enableWhen) && { enableWhen: nodesOf(node.enableWhen).map(conditionOf) }),
    ...(enableBehavior === 'any' && { enableBehavior }),
    ...(Array.isArray(node.answerOption) && {
      options: nodesOf(node.answerOption).map((option) => optionOf(option, defaultLocale)),
    }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(typeof node.maxLength === 'number' && { maxLength: node.maxLength }),
  };
}

function optionOf(node: Node, defaultLocale: string): Option {
  const coding = nodeOf(node.valueCoding);
  const plain = String(node.valueString ?? node.valueInteger ?? node.valueDate ?? node.valueTime ?? '');
  const value = textOf(coding?.code) ?? plain;
  const ordinal = extensionOf(node, urls.ordinalValue) ?? (coding && extensionOf(coding, urls.ordinalValue));
  const score = numberOf(ordinal);
  return {
    value,
    text: (coding && textsOf(coding, 'display', defaultLocale)) ?? { [defaultLocale]: value },
    ...(score !== undefined && { score }),
  };
}

function conditionOf(node: Node): Condition {
  const choice = textOf(nodeOf(node.answerCoding)?.code);
  const time = textOf(node.answerTime)?.slice(0, 5);
  const [date, text] = [textOf(node.answerDate), textOf(node.answerString)];
  const { answerInteger: integer, answerDecimal: decimal, answerBoolean: boolean } = node;
  return {
    linkId: textOf(node.question) ?? '',
    operator: textOf(node.operator) as Condition['operator'],
    ...(choice !== undefined && { choice }),
    ...(typeof integer === 'number' && { integer }),
    ...(typeof decimal === 'number' && { decimal }),
    ...(typeof boolean === 'boolean' && { boolean }),
    ...(date !== undefined && { date }),
    ...(time !== undefined && { time }),
    ...(text !== undefined && { text }),
  };
}

/** A text and its translations; undefined if there is none. */
function textsOf(node: Node, name: string, defaultLocale: string): Texts | undefined {
  const text = textOf(node[name]);
  if (text === undefined) return undefined;
  const translations = nodesOf(nodeOf(node[`_${name}`])?.extension).filter(({ url }) => url === urls.translation);
  const others = translations.flatMap((translation) => {
    const [locale, content] = [extensionOf(translation, 'lang'), extensionOf(translation, 'content')];
    const said = [textOf(locale?.valueCode), textOf(content?.valueString ?? content?.valueMarkdown)];
    return said.every((each) => each !== undefined) ? [said as [string, string]] : [];
  });
  return Object.fromEntries([[defaultLocale, text], ...others]);
}
