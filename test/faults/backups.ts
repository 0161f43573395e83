import type { PlantedFault } from './fault.ts'

export const backupFaults: PlantedFault[] = [
  {
    rule: 'folders of other programs on the backup drive are not opened',
    file: 'packages/backend/backup/stored-files.ts',
    find: 'if (!entry.isDirectory() || !isStoredFolder(entry.name)) return []',
    replace: 'if (!entry.isDirectory()) return []',
    tests: ['packages/backend/backup/retention.test.ts'],
  },
  {
    rule: 'folders of other programs beside the archived log are not removed',
    file: 'packages/backend/backup/retention.ts',
    find: 'names.filter(isStoredFolder)',
    replace: 'names',
    tests: ['packages/backend/backup/retention.test.ts'],
  },
  {
    rule: 'a backup is made although the folder cannot be cleaned',
    file: 'packages/backend/backup/keep-backups.ts',
    find: '      await clean()\n',
    replace: '      await removeLeftovers(folder)\n',
    tests: ['packages/backend/backup/keep-backups.test.ts'],
  },
  {
    rule: 'a backup counts as made although old ones cannot be removed',
    file: 'packages/backend/backup/keep-backups.ts',
    find: '      await removeOld()\n',
    replace: '      await removeOldBackups(folder)\n',
    tests: ['packages/backend/backup/keep-backups.test.ts'],
  },
  {
    rule: 'what another user owns in the backup folder does not keep the rest from being removed',
    file: 'packages/backend/backup/retention.ts',
    find: 'refused.push(`${path} (${code})`)',
    replace: 'throw new DatabaseProblem(`${path} (${code})`)',
    tests: ['packages/backend/backup/retention.test.ts'],
  },
  {
    rule: 'the dumps of a database are one history, whichever machine makes them',
    file: 'packages/backend/backup/create-backup.ts',
    find: "createHash('sha256').update(addresses)",
    replace: "createHash('sha256').update(addresses + dataDir)",
    tests: ['packages/backend/backup/external-database.test.ts'],
  },
  {
    rule: 'a day keeps a dump of each database',
    file: 'packages/backend/backup/create-backup.ts',
    find: 'databaseAddresses(databaseUrl).toSorted().join()',
    replace: "''",
    tests: ['packages/backend/backup/external-database.test.ts'],
  },
  {
    rule: 'log of an older database that came back does not continue the archived log',
    file: 'packages/backend/backup/wal-archive.ts',
    find: '      if (isSegment(segment) && segment < newest) return false\n',
    replace: '',
    tests: ['packages/backend/backup/wal-archive.test.ts'],
  },
  {
    rule: 'the new copy of a damaged picture is kept for the backups before it',
    file: 'packages/backend/backup/retention.ts',
    find: 'manifest.files.map(storedFileKey)',
    replace: 'manifest.files',
    tests: ['packages/backend/backup/retention.test.ts'],
  },
  {
    rule: 'a damaged copy of a deleted picture is removed with the last backup that has the picture',
    file: 'packages/backend/backup/stored-files.ts',
    find: 'basename(path, DAMAGED)',
    replace: 'path',
    tests: ['packages/backend/backup/retention.test.ts'],
  },
]
