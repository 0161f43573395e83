import { Outlet } from 'react-router'
import { AdminFrame } from './admin-frame.tsx'

/** Everything of the admin area that stands on a screen; what is printed stands on bare paper. */
export default function FramedLayout() {
  return (
    <AdminFrame>
      <Outlet />
    </AdminFrame>
  )
}
