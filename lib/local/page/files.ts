import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Serves only listed files: a path from a request is never joined with a folder. */

const assets = {
  '/_local/': ['page.css', 'phones.css', 'lists.css', 'page.js', 'phone.js', 'mails.js', 'icon.svg'],
  '/_local/reference/': ['reference.css', 'reference.js'],
};
const asset = (name: string) => () => new URL(`assets/${name}`, import.meta.url);
const swagger = (name: string) => () => new URL(name, import.meta.resolve('swagger-ui-dist/package.json'));

const files: ReadonlyMap<string, () => URL> = new Map([
  ['/_local/', asset('index.html')],
  ['/_local/reference/', asset('reference.html')],
  ...Object.entries(assets).flatMap(([folder, names]) => names.map((name) => [folder + name, asset(name)] as const)),
  ...['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => [`/_local/reference/${name}`, swagger(name)] as const),
]);

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

export function fileAt(path: string): URL | null {
  return files.get(path)?.() ?? null;
}

export async function sendFile(response: ServerResponse, file: URL): Promise<void> {
  const { size } = await stat(file);
  const type = types[file.pathname.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': size, 'Cache-Control': 'no-cache' });
  // A client that leaves halfway is no error.
  await pipeline(createReadStream(file), response).catch(() => response.destroy());
}
