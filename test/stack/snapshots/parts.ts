import { isObject, type Json, type JsonObject, jsonText, mapInner, mapTexts } from './json.ts';
import { lengthen, type Naming, namingOf, shorten, withHash } from './short-names.ts';

/**
 * The templates of a stage, as `readable` has them, in parts: each resource, parameter and output is one, and each operation
 * and each answer of an API itself. A part has a name and a type: `SleepcareConsents/AgreeRole AWS::IAM::Role`, `Sleepcare/Api/get/v1/health operation`.
 */
export type Parts = ReadonlyMap<string, Json>;
export type Templates = Readonly<Record<string, JsonObject>>;

export type Apart = {
  readonly parts: Parts;
  /** `Sleepcare/Deployment#` → 56f9d4d57526 */
  readonly hashes: ReadonlyMap<string, string>;
};

const operation = /^(\w+\/\w+)\/([\w-]*)(\/.*) (?:operation|path)$/;
const answer = /^(\w+\/\w+)\/(\w+) answer$/;
const answers = 'x-amazon-apigateway-gateway-responses';
const entry = /^(\w+)(?:\/(\S+))? (\S+)$/;

export function typeOf(part: string): string {
  return part.slice(part.lastIndexOf(' ') + 1);
}

export function takeApart(templates: Templates): Apart {
  const parts = new Map<string, Json>();
  const hashes = new Map<string, string>();
  for (const [template, { Resources, ...sections }] of Object.entries(templates)) {
    for (const [section, content] of Object.entries(sections)) {
      if (!isObject(content)) parts.set(`${template} ${section}`, content);
      else for (const [id, value] of Object.entries(content)) parts.set(`${template}/${id} ${section}`, value);
    }
    const resources = Object.entries(Resources as Record<string, JsonObject>);
    const hashed = withHash(resources.map(([id]) => id));
    for (const [id, short] of hashed) hashes.set(`${template}/${short}`, id.slice(short.length - 1));
    for (const [id, resource] of resources) {
      const name = hashed.find(([long]) => long === id)?.[1] ?? id;
      const naming = namingOf(id, hashed);
      const written = mapTexts(resource, (text) => unfolded(shorten(text, naming)));
      addResource(parts, `${template}/${name}`, written as JsonObject);
    }
  }
  return { parts, hashes };
}

/** Its properties with its other attributes (`@DependsOn`). Of an API, its own answers, each route's operation and what else a path has are parts. */
function addResource(parts: Map<string, Json>, name: string, { Type, Properties, ...attributes }: JsonObject): void {
  const others = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`@${key}`, value]));
  const { Body, ...properties } = { ...(Properties as JsonObject) };
  const { paths = {}, [answers]: ownAnswers = {}, ...body } = isObject(Body) ? Body : {};
  parts.set(`${name} ${Type}`, { ...properties, ...(isObject(Body) && { Body: body }), ...others });
  for (const [type, each] of Object.entries(ownAnswers as JsonObject)) parts.set(`${name}/${type} answer`, each);
  for (const [path, operations] of Object.entries(paths as Record<string, JsonObject>)) {
    const isRoute = ([, each]: [string, Json]) => isObject(each) && 'operationId' in each;
    const all = Object.entries(operations);
    for (const [method, each] of all.filter(isRoute)) parts.set(`${name}/${method}${path} operation`, each);
    parts.set(`${name}/${path} path`, Object.fromEntries(all.filter((each) => !isRoute(each))));
  }
}

/** The inverse of `takeApart`. */
export function putTogether({ parts, hashes }: Apart): Templates {
  const inside = bodiesIn(parts);
  const templates: Record<string, Record<string, Json>> = {};
  const add = (template: string, section: string, id: string, value: Json) => {
    const sections = templates[template] ?? {};
    templates[template] = sections;
    if (id === '') sections[section] = value;
    else sections[section] = Object.assign(sections[section] ?? {}, { [id]: value });
  };
  for (const [part, value] of parts) {
    const [, template = '', name = '', type = ''] = entry.exec(part) ?? [];
    if (operation.test(part) || answer.test(part)) continue;
    if (!type.includes('::')) add(template, type, name, value);
    else {
      const id = name.replace(/#$/, hashes.get(`${template}/${name}`) ?? '');
      add(template, 'Resources', id, resourceOf(type, value as JsonObject, inside.get(`${template}/${name}`)));
    }
  }
  for (const sections of Object.values(templates)) sections.Resources = withLongNames(sections.Resources as JsonObject);
  return templates;
}

function withLongNames(resources: JsonObject): JsonObject {
  const hashed = withHash(Object.keys(resources));
  const all = Object.entries(resources).map(([id, value]) => [id, restore(value, namingOf(id, hashed))]);
  return Object.fromEntries(all);
}

function resourceOf(Type: string, value: JsonObject, inside: JsonObject | undefined): JsonObject {
  const all = Object.entries(value);
  const properties = Object.fromEntries(all.filter(([key]) => !key.startsWith('@')));
  const attributes = all.filter(([key]) => key.startsWith('@')).map(([key, inner]) => [key.slice(1), inner]);
  const Properties = { ...properties, ...(inside && { Body: { ...(properties.Body as JsonObject), ...inside } }) };
  return { Type, ...(Object.keys(Properties).length > 0 && { Properties }), ...Object.fromEntries(attributes) };
}

/** By API: its own answers by type, and its operations by path and method. */
function bodiesIn(parts: Parts): ReadonlyMap<string, JsonObject> {
  const apis = new Map<string, { [answers]: Record<string, Json>; paths: Record<string, JsonObject> }>();
  const bodyOf = (api: string) => {
    const body = apis.get(api) ?? { [answers]: {}, paths: {} };
    apis.set(api, body);
    return body;
  };
  for (const [part, value] of parts) {
    const [, api = '', method = '', path = ''] = operation.exec(part) ?? [];
    const [, answering = '', type = ''] = answer.exec(part) ?? [];
    if (answering !== '') bodyOf(answering)[answers][type] = value;
    if (api === '') continue;
    const { paths } = bodyOf(api);
    paths[path] = { ...paths[path], ...(method === '' ? (value as JsonObject) : { [method]: value }) };
  }
  return apis;
}

function unfolded(text: string): Json {
  if (!/^[[{]/.test(text)) return text;
  try {
    const value = JSON.parse(text) as Json;
    return JSON.stringify(value) === text ? { [jsonText]: value } : text;
  } catch {
    return text;
  }
}

function restore(value: Json, naming: Naming): Json {
  if (typeof value === 'string') return lengthen(value, naming);
  if (isObject(value) && value[jsonText] !== undefined) return lengthen(JSON.stringify(value[jsonText]), naming);
  return mapInner(value, (inner) => restore(inner, naming));
}
