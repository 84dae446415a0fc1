import { errorsIn } from '../support/consumer';
import { WorkingFolder } from '../support/documents';

const folder = new WorkingFolder();
afterAll(() => folder.remove());

test('the declarations of every entry point are valid for strict projects, as ES modules and as CommonJS', () => {
  const source = ['walletflow', 'walletflow/worker', 'walletflow/api', 'walletflow/emulator']
    .map((entry, index) => `export * as entry${index} from '${entry}';\n`)
    .join('');
  const files = { 'all.mts': source, 'all.cts': source };
  expect(errorsIn(folder, files, { skipLibCheck: false })).toEqual([]);
});
