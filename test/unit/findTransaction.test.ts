import type { LookUpPage } from '../../activities/transactions';
import type { SentTransaction } from '../../src/domain/sentTransaction';
import type { Flow } from '../../workflows/kit/flow';
import { IncompleteLookUp } from '../../workflows/kit/lookUp';
import { findTransaction } from '../../workflows/steps/findTransaction';

const EFFECT = { flow: 'transfer', ref: 'a', step: 'submit', ordinal: 2 };
const SENT = { walletId: 'w', tokenId: 't', destinationAddress: '0x1', amounts: ['1'], blockchain: 'ETH-SEPOLIA' };
const CALLED = { walletId: 'w', contractAddress: '0x2', blockchain: 'ETH-SEPOLIA' };

/** Looks through pages, of which each has a next one except the last. @returns the state found, and how many were read */
async function lookThrough(
  pages: LookUpPage[],
  sent: SentTransaction = SENT,
): Promise<[state: string | undefined, read: number]> {
  let read = 0;
  const readPage = () => {
    const page = pages[read++]!;
    return Promise.resolve(read < pages.length ? { pageAfter: `page ${read}`, ...page } : page);
  };
  const found = await findTransaction(
    { api: { findTransaction: readPage } } as unknown as Flow,
    EFFECT,
    sent,
    'anyTime',
  );
  return [found?.state, read];
}

const found = (state: string): LookUpPage => ({ found: { id: state, state } });

test.each<[what: string, pages: LookUpPage[], result: Awaited<ReturnType<typeof lookThrough>>]>([
  ['nothing', [{}, {}], [undefined, 2]],
  ['a transaction that may move the amount, at once', [found('SENT'), found('COMPLETE')], ['SENT', 1]],
  ['an older complete one instead of a failed one', [found('FAILED'), {}, found('COMPLETE')], ['COMPLETE', 3]],
  ['the newest failed one if no other exists', [found('DENIED'), found('FAILED')], ['DENIED', 2]],
])('a lookup finds %s', async (_what, pages, result) => {
  expect(await lookThrough(pages)).toEqual(result);
});

test('a failed transaction proves nothing while another row cannot be read', async () => {
  await expect(lookThrough([found('FAILED'), { isComplete: false }])).rejects.toThrow(IncompleteLookUp);
});

test.each<[what: string, sent: SentTransaction, most: number]>([
  ['transfers to a destination', SENT, 20],
  ['contract calls, which the list does not narrow to a contract', CALLED, 200],
])('a lookup reads so many pages of %s', async (_what, sent, most) => {
  const pages = (count: number) => Array.from({ length: count }, (): LookUpPage => ({}));
  expect(await lookThrough(pages(most), sent)).toEqual([undefined, most]);
  await expect(lookThrough(pages(most + 1), sent)).rejects.toThrow(`More than ${most} pages`);
});
