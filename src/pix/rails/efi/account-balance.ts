import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { ApiPixClient } from '../bcb/api-pix-client.js';
import { amount, members } from '../bcb/answer-members.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import { RailUnavailable } from '../rail-errors.js';

/** The balance of the account at the PSP: `GET /v2/gn/saldo`, scope `gn.balance.read`. */
@Injectable()
export class AccountBalance {
  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Centavos. @throws RailUnavailable */
  async balance(): Promise<bigint> {
    const base = this.config.efi!.ownUrl;
    try {
      const answer = await this.client.call({ operation: 'GET gn saldo', method: 'GET', base, path: '/saldo' });
      return amount(members(answer, 'saldo').saldo, 'saldo');
    } catch (error) {
      if (error instanceof ApiPixRefusal)
        throw new RailUnavailable(`the PSP does not give the balance: ${error.message}`);
      throw error;
    }
  }
}
