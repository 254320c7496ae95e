import { Injectable } from '@nestjs/common';

/** Commands so far whose answer somebody waits for: not those of this process's own work. */
@Injectable()
export class AwaitedCommands {
  single = 0;
  /** Of requests of many, and of files. */
  many = 0;
}
