import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import type { temporal } from '@temporalio/proto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseKeyRing } from '../../src/crypto/keyRing';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';

/** Where the repository keeps its recordings. */
export const RECORDINGS = { histories: 'test/replay/histories', keyRing: 'test/replay/keyRing.json' } as const;
export const ROOT = path.resolve(__dirname, '../..');
export const FOLDER = path.join(ROOT, RECORDINGS.histories);
const SUFFIX = '.json';

export interface Recording {
  /** `<flow>.<scenario>`, or `<flow>.<scenario>-until-<date>` for a recording of older code (CONTRIBUTING.md, "A patch"). */
  name: string;
  flow: string;
  history: temporal.api.history.v1.IHistory;
}

/** Codec for the payloads of recorded histories. @param root folder of a checkout */
export async function recordingCodec(root = ROOT): Promise<EncryptingCodec> {
  const ring = await readFile(path.join(root, RECORDINGS.keyRing), 'utf8');
  return new EncryptingCodec(parseKeyRing(ring, path.basename(RECORDINGS.keyRing)));
}

export const fileOf = (name: string) => path.join(FOLDER, name + SUFFIX);

/** All recordings, sorted by name. @param root folder of a checkout */
export async function readRecordings(root = ROOT): Promise<Recording[]> {
  const folder = path.join(root, RECORDINGS.histories);
  const files = (await readdir(folder)).filter((file) => file.endsWith(SUFFIX)).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = path.basename(file, SUFFIX);
      const history = historyFromJSON(JSON.parse(await readFile(path.join(folder, file), 'utf8')));
      return { name, flow: name.split('.')[0]!, history };
    }),
  );
}
