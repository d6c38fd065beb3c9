import { html } from 'hono/html';
import type { PageLocale } from './evidence-labels.ts';
import { style } from './evidence-style.ts';

/** The begin of a page that is complete: without scripts and without references to other files. */
export function pageHead(locale: PageLocale, title: string) {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>`;
}

/** One below the other. */
export function lines(parts: readonly unknown[]): unknown[] {
  return parts.flatMap((part) => ['\n', part]).slice(1);
}
