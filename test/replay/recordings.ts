import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import type { temporal } from '@temporalio/proto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseKeyRing } from '../../src/crypto/keyRing';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';

export const FOLDER = path.join(__dirname, 'histories');
const KEY_RING = path.join(__dirname, 'keyRing.json');
const SUFFIX = '.json';

export interface Recording {
  /** `<flow>.<scenario>`, or `<flow>.<scenario>-until-<date>` for a recording of older code (CONTRIBUTING.md, "A patch"). */
  name: string;
  flow: string;
  history: temporal.api.history.v1.IHistory;
}

/** Codec for the payloads of recorded histories. */
export async function recordingCodec(): Promise<EncryptingCodec> {
  return new EncryptingCodec(parseKeyRing(await readFile(KEY_RING, 'utf8'), path.basename(KEY_RING)));
}

export const fileOf = (name: string) => path.join(FOLDER, name + SUFFIX);

/** All recordings, sorted by name. */
export async function readRecordings(): Promise<Recording[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(SUFFIX)).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = path.basename(file, SUFFIX);
      const history = historyFromJSON(JSON.parse(await readFile(fileOf(name), 'utf8')));
      return { name, flow: name.split('.')[0]!, history };
    }),
  );
}
