import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The compiled page. If the emulator runs from source, as in tests, the page is in the build's output folder. */
const FOLDER = [join(__dirname, '../page'), join(__dirname, '../../../dist/src/emulator/page')].find((folder) =>
  existsSync(join(folder, 'main.js')),
);

/** Serves the page at `/emulator` and its files below `/emulator/page/`. The page loads nothing from other hosts. */
export function mountPage(scope: FastifyInstance): void {
  if (FOLDER === undefined) return;
  scope.register(fastifyStatic, { root: FOLDER, prefix: '/page/', index: false, cacheControl: false });
  scope.get('/', (_request, reply) => reply.header('content-security-policy', POLICY).sendFile('index.html'));
}

/** Inline scripts are allowed for the import map. Nothing is loaded from or sent to another host. */
const POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline'; img-src 'self' data:; style-src 'self'";
