import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { createQueryClient } from '#app/data/query-client.ts'
import { Stack, Text } from '#app/ui/layout.tsx'
import { AccountGate } from './account-gate.tsx'
import { AccountNavigation } from './account-navigation.tsx'
import styles from './layout.module.css'

/** No loader: personal data comes from the API with the customer's own token, never with the page. */
export default function AccountLayout() {
  const [queryClient] = useState(() => createQueryClient())

  return (
    <QueryClientProvider client={queryClient}>
      <Stack contained gap={6} block={[6, 9]} justify="start" className={styles.page}>
        <AccountNavigation />
        <Text as="div" shrinks>
          <AccountGate>
            <Outlet />
          </AccountGate>
        </Text>
      </Stack>
    </QueryClientProvider>
  )
}
