import { Client, type ClientOptions } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { dataConverter } from './dataConverter';
import { envelopeInterceptors } from './envelopes';

/** A client whose messages workflows accept. @param codecs see `dataConverter` */
export function createClient(codecs: readonly PayloadCodec[], options: ClientOptions): Client {
  return new Client({ ...options, dataConverter: dataConverter(codecs), interceptors: envelopeInterceptors });
}
