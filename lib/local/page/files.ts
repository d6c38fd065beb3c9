import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Serves only listed files: a path from a request is never joined with a folder. */

const asset = (name: string) => new URL(`assets/${name}`, import.meta.url);
const swagger = (name: string) => new URL(name, import.meta.resolve('swagger-ui-dist/package.json'));

const files: Readonly<Record<string, () => URL>> = {
  '/_local/': () => asset('index.html'),
  '/_local/page.css': () => asset('page.css'),
  '/_local/phones.css': () => asset('phones.css'),
  '/_local/lists.css': () => asset('lists.css'),
  '/_local/page.js': () => asset('page.js'),
  '/_local/phone.js': () => asset('phone.js'),
  '/_local/mails.js': () => asset('mails.js'),
  '/_local/icon.svg': () => asset('icon.svg'),
  '/_local/reference/': () => asset('reference.html'),
  '/_local/reference/reference.css': () => asset('reference.css'),
  '/_local/reference/reference.js': () => asset('reference.js'),
  '/_local/reference/swagger-ui.css': () => swagger('swagger-ui.css'),
  '/_local/reference/swagger-ui-bundle.js': () => swagger('swagger-ui-bundle.js'),
};

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

export function fileAt(path: string): URL | null {
  return Object.hasOwn(files, path) ? (files[path]?.() ?? null) : null;
}

export async function sendFile(response: ServerResponse, file: URL): Promise<void> {
  const { size } = await stat(file);
  const type = types[file.pathname.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': size, 'Cache-Control': 'no-cache' });
  // A client that leaves halfway is no error.
  await pipeline(createReadStream(file), response).catch(() => response.destroy());
}
